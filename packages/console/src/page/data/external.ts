/**
 * Whether a server is one of the studio's own servers: the service knows the server's address, but has no log of it and
 * does not run its process.
 */
export const isExternal = ({ instance_id }: { readonly instance_id: string }): boolean => instance_id.startsWith('ext_')
