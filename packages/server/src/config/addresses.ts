import { isIP } from 'node:net'
import { Fault } from './setting'

const parse = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)
const isHttp = (url: URL) => url.protocol === 'http:' || url.protocol === 'https:'

/** The address under which callers, or other nodes, reach the service, without a slash at its end; a path is fine, a query is not. */
export function publicUrl(text: string): string | Fault {
  const url = parse(text)
  if (url === undefined || !isHttp(url)) {
    return new Fault(`${JSON.stringify(text)} is not an address; give one like https://matchyard.example.com`)
  }
  if (url.username !== '' || url.password !== '') return new Fault('it must not hold a user name or password')
  if (url.search !== '' || url.hash !== '') return new Fault(`${JSON.stringify(text)} must end with its host or path`)
  return url.href.replace(/(?<!\/)\/+$/, '')
}

/** A list of origins, by comma: scheme, host and port, nothing more. */
export function origins(text: string): readonly string[] | Fault {
  const all = text.split(',').map((part) => part.trim()).filter((part) => part !== '') // biome-ignore format: one thought
  const wrong = all.find((origin) => {
    const url = parse(origin)
    return url === undefined || !isHttp(url) || url.origin !== origin.toLowerCase()
  })
  if (wrong === undefined) return all.map((origin) => origin.toLowerCase())
  return new Fault(`${JSON.stringify(wrong)} is not an origin; give a list like https://admin.example.com,https://…`)
}

/** A host name or an address, without scheme or port. */
export function hostName(text: string): string | Fault {
  const isName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*\.?$/i.test(text)
  if (isIP(text) !== 0 || isName) return text
  return new Fault(`${JSON.stringify(text)} is not a host; give a name or an address without scheme or port`)
}

/** How many proxies of one's own stand in front: a number, or `true` for one. */
export function proxies(text: string): number | Fault {
  if (text === 'true') return 1
  if (text === 'false') return 0
  if (/^[0-9]$/.test(text)) return Number(text)
  return new Fault(
    `${JSON.stringify(text)} is not known; give the number of proxies in front (0 to 9), or true for one`,
  )
}
