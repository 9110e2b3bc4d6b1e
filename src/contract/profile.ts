/** POST /mini/user/update: what is given changes, the rest stays. `avatar` is the address of an uploaded picture. */
export interface ProfileBody {
  readonly name?: string
  readonly avatar?: string
  /** A value of the dictionary `gender`. */
  readonly gender?: string
  readonly mobile?: string
  readonly email?: string
  readonly wechat?: string
  readonly signature?: string
}

/** Answer of POST /mini/user/update and GET /mini/user/profile. */
export interface Profile {
  readonly id: string
  readonly account: string
  readonly name: string
  readonly avatar: string
  readonly gender: string
  readonly mobile: string
  readonly email: string
  readonly wechat: string
  readonly signature: string
  readonly employeeNo: string
  readonly position: string
  readonly dept: string
  readonly supervisor: string
  readonly roles: readonly string[]
}

/** A row of GET /mini/user/session/list: a device somebody is signed in on. */
export interface DeviceSession {
  readonly id: string
  readonly deviceName: string
  readonly tenantName: string
  readonly createdAt: string
  readonly seenAt: string
  /** The device that asks. */
  readonly current: boolean
}

/** GET /mini/user/preference: what the client keeps for its user, by key. */
export type Preferences = Readonly<Record<string, unknown>>
