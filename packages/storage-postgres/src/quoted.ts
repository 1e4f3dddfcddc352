/** Returns a name as an identifier of SQL. */
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
