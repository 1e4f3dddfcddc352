/** Whether a server is the studio's own: the service knows where it is, and neither its log nor its process. */
export const isExternal = ({ instance_id }: { readonly instance_id: string }): boolean => instance_id.startsWith('ext_')
