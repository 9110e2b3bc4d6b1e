import { expect, it } from 'vitest'
import { crossTenantTables } from '../support/tenant-first.ts'

const TABLES = new Set(['customer', 'contact', 'star'])

it.each([
  ['a table that is asked for one tenant', 'select id from customer where tenant_id = $1'],
  ['one of several', 'select id from customer where tenant_id = any($1)'],
  [
    'a table joined by the tenant',
    'select 1 from customer c join contact k on k.tenant_id = c.tenant_id and k.customer_id = c.id where c.tenant_id = $1',
  ],
  [
    'the other way round',
    'select 1 from customer c, contact k where (k.tenant_id, k.customer_id) = (c.tenant_id, c.id) and k.tenant_id = $1',
  ],
  ['a join by names', 'select 1 from customer join contact using (tenant_id) where tenant_id = $1'],
  [
    'a condition of which every way says it',
    'select 1 from customer c where c.tenant_id = $1 and c.a or c.b and c.tenant_id = $2',
  ],
  [
    'a query inside, of the row outside',
    'select exists (select 1 from contact k where k.tenant_id = c.tenant_id) from customer c where c.tenant_id = $1',
  ],
  [
    'a query that picks, asked from outside',
    'select 1 from (select c.* from customer c where c.a) c where c.tenant_id = $1',
  ],
  ['a name of a query', 'with star as (select 1 as id) select id from star'],
  [
    'a row that is made',
    'insert into star (tenant_id, id) values ($1, $2) on conflict (tenant_id, id) do nothing',
  ],
  ['a table of the installation', 'select id from tenant'],
])('%s is limited to one tenant', async (_, statement) => {
  expect(await crossTenantTables(statement, TABLES)).toEqual([])
})

it.each([
  ['a table that is not', 'select id from customer where id = $1', ['customer']],
  [
    'one that is joined by another key',
    'select 1 from customer c join contact k on k.customer_id = c.id where c.tenant_id = $1',
    ['contact'],
  ],
  [
    'two that are joined, and nobody says whose',
    'select 1 from customer c join contact k on k.tenant_id = c.tenant_id',
    ['contact', 'customer'],
  ],
  [
    'a condition of which one way says it',
    'select 1 from customer c where c.tenant_id = $1 or c.a',
    ['customer'],
  ],
  ['a condition that is turned round', 'select 1 from customer c where not c.tenant_id = $1', ['customer']],
  [
    'one part of a union',
    'select 1 from customer where tenant_id = $1 union select 1 from contact',
    ['contact'],
  ],
  [
    'a query inside',
    'select (select count(*) from contact k where k.customer_id = c.id) from customer c where c.tenant_id = $1',
    ['contact'],
  ],
  [
    'a query that counts, asked from outside',
    'select 1 from (select tenant_id, count(*) from customer group by 1) c where c.tenant_id = $1',
    ['customer'],
  ],
  ['an update', 'update customer set a = 1 where id = $1', ['customer']],
  [
    'an update by another table',
    'update customer c set a = 1 from contact k where k.tenant_id = $1 and k.customer_id = c.id',
    ['customer'],
  ],
  [
    'a delete',
    'delete from customer where id in (select customer_id from contact where tenant_id = $1)',
    ['customer'],
  ],
  ['a row that is made without', 'insert into star (id) values ($1)', ['star']],
  [
    'a row that is found again without',
    'insert into star (tenant_id, id) values ($1, $2) on conflict (id) do nothing',
    ['star'],
  ],
])('%s is not limited to one tenant', async (_, statement, tables) => {
  expect(await crossTenantTables(statement, TABLES)).toEqual(tables)
})
