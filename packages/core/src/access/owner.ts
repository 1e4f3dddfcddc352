/** Required owner of a resource that a caller addresses: the project of the API key, or the account of the session. */
export type OwnedBy =
  | {
      /** Project of the caller's API key. */
      readonly projectId: string
      /** Absent for the owner by project. */
      readonly accountId?: undefined
    }
  | {
      /** Account of the caller's session. */
      readonly accountId: string
      /** Absent for the owner by account. */
      readonly projectId?: undefined
    }

export const isOwner = (by: OwnedBy, thing: { readonly projectId: string; readonly accountId: string }): boolean =>
  by.projectId === undefined ? by.accountId === thing.accountId : by.projectId === thing.projectId
