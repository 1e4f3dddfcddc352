import { computed, signal } from '@preact/signals'

/** Where in the console one is: the part of the address after `#`, so that every view has an address and the service needs no rules for them. */
const hash = signal(location.hash)

addEventListener('hashchange', () => {
  hash.value = location.hash
})

export interface Route {
  /** The id of the project that the address names; undefined where it names none, and the one that is open is meant. */
  readonly project: string | undefined
  /** The room, and what in it: `['lobbies', 'lob_…']`. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

/** Stands before the id of a project, as the first part of an address. */
const PROJECT = '~'

export const route = computed<Route>(() => {
  const [whole = '', query = ''] = hash.value.replace(/^#\/?/, '').split('?')
  const all = whole.split('/').filter(Boolean).map(decoded)
  const [first] = all
  const isNamed = first?.startsWith(PROJECT) === true
  return {
    project: isNamed ? first.slice(PROJECT.length) : undefined,
    path: isNamed ? all.slice(1) : all,
    query: new URLSearchParams(query),
  }
})

/** The project whose views addresses lead to. */
const named = signal<string | undefined>(undefined)

/** From here on addresses name this project: a link that is sent to somebody, or opened in another tab, shows the same there. */
export function nameProject(id: string): void {
  named.value = id
}

/** The address of a view: `href('lobbies', lobby.lobby_id)`. */
export function href(...path: readonly string[]): string {
  const project = named.value === undefined ? [] : [`${PROJECT}${encodeURIComponent(named.value)}`]
  return `#/${[...project, ...path.map(encodeURIComponent)].join('/')}`
}

export function go(...path: readonly string[]): void {
  location.hash = href(...path)
  hash.value = location.hash
}

/** Puts a filter of the view into its address, without a step in the history. */
export function setQuery(name: string, value: string): void {
  const query = new URLSearchParams(route.value.query)
  if (value === '') query.delete(name)
  else query.set(name, value)
  putHere(query)
}

/** Puts the project into an address that names none, or another one. */
export const setProject = (): void => putHere(route.value.query)

const putHere = (query: URLSearchParams): void =>
  replaceWith(`${href(...route.value.path)}${query.size === 0 ? '' : `?${query}`}`)

/** Another address, without a step in the history. */
export function replaceWith(fragment: string): void {
  history.replaceState(null, '', fragment === '' ? location.pathname : fragment)
  hash.value = fragment
}

/** An address typed by hand can contain anything. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
