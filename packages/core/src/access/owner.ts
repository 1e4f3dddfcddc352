/** Required owner of an addressed resource: the project of an API key, or any project of a session's account. */
export type OwnedBy =
  | { readonly projectId: string; readonly accountId?: undefined }
  | { readonly accountId: string; readonly projectId?: undefined }

export const isOwner = (by: OwnedBy, thing: { readonly projectId: string; readonly accountId: string }): boolean =>
  by.projectId === undefined ? by.accountId === thing.accountId : by.projectId === thing.projectId
