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
