import type { RightsInRules } from './field-rights.ts'

/** POST /mini/login/validate (DOMAIN 1.13). `account` is an account or a mobile number; `agree` must be true. */
export interface LoginBody {
  readonly account: string
  readonly password: string
  readonly agree: boolean
  readonly captcha?: string
  readonly captchaId?: string
  /** Signs in to this tenant instead of the person's default one. */
  readonly tenantCode?: string
  readonly deviceId: string
  readonly isPc?: boolean
}

export interface LoginAnswer {
  readonly token: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
  readonly tenantId: string
  readonly mustChangePassword: boolean
  readonly tenants: readonly { readonly id: string; readonly name: string }[]
}

/** Claims of the signed token. `exp` is in seconds; `ver` changes with the rights it was made from. */
export interface TokenClaims {
  readonly uid: string
  readonly tid: string
  readonly role: readonly string[]
  readonly permission: readonly string[]
  readonly sid: string
  readonly ver: string
  readonly exp: number
}

/** One entry of the menu. `hide` 0 is visible. */
export interface MenuEntry {
  readonly id: number
  readonly parent_id: number
  readonly hide: number
  readonly path: string
  readonly title: string
  readonly icon: string
  readonly component: string
  readonly sort: number
  readonly slot: readonly MenuSlot[]
  readonly permission: string | null
}

export type MenuSlot = 'shortcut' | 'common' | 'bottom'
export type SelectedMenus = Readonly<Record<MenuSlot, readonly number[]>>

/** Fewest and most entries a user may choose per slot. */
export const MENU_LIMITS: Readonly<Record<MenuSlot, readonly [number, number]>> = {
  shortcut: [2, 4],
  common: [4, 8],
  bottom: [0, 3],
}

interface UserInfo {
  readonly id: string
  readonly account: string
  readonly name: string
  readonly mobile: string
  readonly email: string
  readonly avatar: string
  readonly gender: string
  readonly wechat: string
  readonly signature: string
  readonly position: string
  readonly dept: string
  readonly deptId: string | null
  readonly roles: readonly { readonly code: string; readonly name: string }[]
  /** Whose numbers home opens with: their own, or their team's where they own nothing themselves. */
  readonly homeScope: 'mine' | 'team'
}

/** GET /mini/user/detail. */
export interface UserDetail {
  readonly authorities: readonly MenuEntry[]
  readonly selected: SelectedMenus
  readonly userInfo: UserInfo
  readonly permissions: readonly string[]
  /** Fields the user may not write, by entity: hidden, masked or read; those of the tenant's own below `ext`. */
  readonly fieldRights: RightsInRules
  /** The password is the first one, or one an administrator gave: a banner asks to change it (DOMAIN 1.13). */
  readonly mustChangePassword: boolean
  readonly tenant: {
    readonly id: string
    readonly name: string
    readonly logo: string
    readonly timezone: string
  }
  readonly settings: unknown
  /** What drafts on a device are locked with; the device forgets it at sign-out. */
  readonly draftKey: string
}
