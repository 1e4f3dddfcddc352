import { isIP } from 'node:net'
import { Fault } from './setting'

const parse = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)
const isHttp = (url: URL) => url.protocol === 'http:' || url.protocol === 'https:'

/**
 * Reads the address at which callers, or other nodes, reach the service. Returns it without a slash at its end. A path
 * is allowed, a query is not.
 */
export function publicUrl(text: string): string | Fault {
  const url = parse(text)
  if (url === undefined || !isHttp(url)) {
    return new Fault(`${JSON.stringify(text)} is not an address; give one like https://matchyard.example.com`)
  }
  if (url.username !== '' || url.password !== '') return new Fault('it must not hold a user name or password')
  if (url.search !== '' || url.hash !== '') return new Fault(`${JSON.stringify(text)} must end with its host or path`)
  return url.href.replace(/(?<!\/)\/+$/, '')
}

/** Reads a list of origins, separated by commas: scheme, host and port only. */
export function origins(text: string): readonly string[] | Fault {
  const all = text.split(',').map((part) => part.trim()).filter((part) => part !== '') // biome-ignore format: one thought
  const wrong = all.find((origin) => {
    const url = parse(origin)
    return url === undefined || !isHttp(url) || url.origin !== origin.toLowerCase()
  })
  if (wrong === undefined) return all.map((origin) => origin.toLowerCase())
  return new Fault(`${JSON.stringify(wrong)} is not an origin; give a list like https://admin.example.com,https://…`)
}

/** Reads a host name or an IP address, without scheme or port. */
export function hostName(text: string): string | Fault {
  const isName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*\.?$/i.test(text)
  if (isIP(text) !== 0 || isName) return text
  return new Fault(`${JSON.stringify(text)} is not a host; give a name or an address without scheme or port`)
}

/** Reads the number of the operator's own proxies in front of the service, from 0 to 9; `true` means 1. */
export function proxies(text: string): number | Fault {
  if (text === 'true') return 1
  if (text === 'false') return 0
  if (/^[0-9]$/.test(text)) return Number(text)
  return new Fault(
    `${JSON.stringify(text)} is not known; give the number of proxies in front (0 to 9), or true for one`,
  )
}
