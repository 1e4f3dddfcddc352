/** Required owner of a resource that a caller addresses: the project of the API key, or the account of the session. */
export type OwnedBy =
  | { readonly projectId: string; readonly accountId?: undefined }
  | { readonly accountId: string; readonly projectId?: undefined }

export const isOwner = (by: OwnedBy, thing: { readonly projectId: string; readonly accountId: string }): boolean =>
  by.projectId === undefined ? by.accountId === thing.accountId : by.projectId === thing.projectId
