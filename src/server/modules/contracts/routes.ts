import { attachmentRoute } from '../../kernel/calls/attachments.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { batchOf, type RecordKind, standardRoutes, writer } from '../../kernel/calls/standard-routes.ts'
import { describedList } from '../../kernel/lists/described-list.ts'
import { patching } from '../../kernel/records/checked-write.ts'
import { rightsMask } from '../../kernel/visibility/masking.ts'
import {
  cancelContract,
  changeContract,
  performContract,
  renewContract,
  submitContract,
  transferContract,
  withdrawContract,
} from './act-on-contract.ts'
import { contractDetail } from './contract.ts'
import { findContract } from './find-contract.ts'
import { CONTRACT_LIST, type ContractRow, contractCard, contractOptions } from './list-spec.ts'
import { lockContracts } from './lock-contracts.ts'
import { removeContract, restoreContract } from './remove-contract.ts'
import { applyContract, createContract, findOpenContract, updateContract } from './write-contract.ts'

const CONTRACT: RecordKind<ContractRow> = {
  name: 'contract',
  module: 'contract',
  list: (_, ctx) => describedList(CONTRACT_LIST, ctx),
  card: contractCard,
  detail: contractDetail,
  create: createContract,
  update: updateContract,
  remove: removeContract,
  restore: restoreContract,
  options: contractOptions,
  prepare: lockContracts,
  formPage: '/pages/contract/add',
}

/** /mini/contract/… (DOMAIN 8.3, 8.4). */
export const contractRoutes: Resource = (app, services) => {
  standardRoutes(app, services, CONTRACT)
  attachmentRoute(app, services, 'contract', async (id, ctx) => {
    await findContract(id, ctx)
    return rightsMask(ctx.caller, 'contract') // contracts are in no pool
  })
  const write = writer(app, services, 'contract')
  write(
    '/mini/contract/patch',
    'contract:edit',
    batchOf(patching('contract', findOpenContract, applyContract), lockContracts),
  )
  write('/mini/contract/submit', 'contract:submit', submitContract)
  write('/mini/contract/withdraw', 'contract:submit', withdrawContract)
  write('/mini/contract/void', 'contract:void', cancelContract)
  write('/mini/contract/change', 'contract:change', changeContract)
  write('/mini/contract/renew', 'contract:add', renewContract)
  write('/mini/contract/perform', 'contract:edit', performContract)
  write('/mini/contract/transfer', 'contract:transfer', batchOf(transferContract, lockContracts))
}
