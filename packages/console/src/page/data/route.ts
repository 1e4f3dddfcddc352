import { computed, signal } from '@preact/signals'

/** Where in the console one is: the part of the address after `#`, so that every view has an address and the service needs no rules for them. */
const hash = signal(location.hash)

addEventListener('hashchange', () => {
  hash.value = location.hash
})

export interface Route {
  /** The room, and what in it: `['lobbies', 'lob_…']`. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

export const route = computed<Route>(() => {
  const [path = '', query = ''] = hash.value.replace(/^#\/?/, '').split('?')
  return { path: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) }
})

/** The address of a view: `href('lobbies', lobby.lobby_id)`. */
export function href(...path: readonly string[]): string {
  return `#/${path.map(encodeURIComponent).join('/')}`
}

export function go(...path: readonly string[]): void {
  location.hash = href(...path)
}

/** Puts a filter of the view into its address, without a step in the history. */
export function setQuery(name: string, value: string): void {
  const query = new URLSearchParams(route.value.query)
  if (value === '') query.delete(name)
  else query.set(name, value)
  replaceWith(`${href(...route.value.path)}${query.size === 0 ? '' : `?${query}`}`)
}

/** Another address, without a step in the history. */
export function replaceWith(fragment: string): void {
  history.replaceState(null, '', fragment === '' ? location.pathname : fragment)
  hash.value = fragment
}

/** Whoever typed an address by hand may have typed anything. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
