/**
 * Whether a server is one of the studio's own servers: the service knows the server's address, but does not run the
 * server's process and has no log of it.
 */
export const isExternal = ({ instance_id }: { readonly instance_id: string }): boolean => instance_id.startsWith('ext_')
