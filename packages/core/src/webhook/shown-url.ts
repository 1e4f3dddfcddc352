/** Sign that stands for the part of an address that is not shown. No valid address contains it. */
export const CUT = '…'

/**
 * Returns an address without its user, path and query, which may hold a secret: an incoming webhook of Slack has its key in the path, and
 * PagerDuty in the query. An address that has none of them stays as it is.
 */
export function shownUrl(url: string): string {
  const from = url.indexOf('://') + '://'.length
  const ends = ['/', '?', '#', '\\'].map((sign) => url.indexOf(sign, from)).filter((at) => at !== -1)
  const authority = url.slice(from, Math.min(url.length, ...ends))
  const shown = `${url.slice(0, from)}${authority.slice(authority.lastIndexOf('@') + 1)}`
  return url === shown || url === `${shown}/` ? url : `${shown}/${CUT}`
}
