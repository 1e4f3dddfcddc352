/** Owner that an addressed resource must have: the project of an API key, or the account of a session. */
export type OwnedBy =
  | { readonly projectId: string; readonly accountId?: undefined }
  | { readonly accountId: string; readonly projectId?: undefined }

export const isOwner = (by: OwnedBy, thing: { readonly projectId: string; readonly accountId: string }): boolean =>
  by.projectId === undefined ? by.accountId === thing.accountId : by.projectId === thing.projectId
