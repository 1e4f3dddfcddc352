/**
 * Whether a server is one of the studio's own servers: the service knows its address, but has neither its log nor its
 * process.
 */
export const isExternal = ({ instance_id }: { readonly instance_id: string }): boolean => instance_id.startsWith('ext_')
