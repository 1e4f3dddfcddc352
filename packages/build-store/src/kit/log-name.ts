/** Returns the name of a kept log. Throws TypeError unless the name is safe as a path of a file: two parts without dots. */
export function checkedLogName(name: string): string {
  if (/^[A-Za-z0-9_-]{1,128}\/[A-Za-z0-9_-]{1,128}$/.test(name)) return name
  throw new TypeError(`not a name of a log: ${JSON.stringify(name)}`)
}
