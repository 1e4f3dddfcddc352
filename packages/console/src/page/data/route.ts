import { computed, signal } from '@preact/signals'

/**
 * The part of the address after `#`. It names the view, so that every view has an address and the service needs no
 * routes for views.
 */
const hash = signal(location.hash)

addEventListener('hashchange', () => {
  hash.value = location.hash
})

export interface Route {
  /**
   * Id of the project that the address names. Undefined when the address names no project; the address then belongs to
   * the open project.
   */
  readonly project: string | undefined
  /** The section of the console and the path within that section: `['lobbies', 'lob_…']`. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

/** Prefix of a project id in the first part of an address. */
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

/** Id of the project that `href` puts into addresses; see `nameProject`. */
const named = signal<string | undefined>(undefined)

/**
 * Makes `href` put this project into every address. A link that is shared or opened in another tab then shows the same
 * project.
 */
export function nameProject(id: string): void {
  named.value = id
}

/** Returns the address of a view: `href('lobbies', lobby.lobby_id)`. */
export function href(...path: readonly string[]): string {
  const project = named.value === undefined ? [] : [`${PROJECT}${encodeURIComponent(named.value)}`]
  return `#/${[...project, ...path.map(encodeURIComponent)].join('/')}`
}

export function go(...path: readonly string[]): void {
  location.hash = href(...path)
  hash.value = location.hash
}

/** Puts a filter of the view into the address, without an entry in the browser's history. */
export const setQuery = (name: string, value: string): void => setQueries({ [name]: value })

/** Puts several filters of the view into the address at once. An empty value removes its filter. */
export function setQueries(filters: Readonly<Record<string, string>>): void {
  const query = new URLSearchParams(route.value.query)
  for (const [name, value] of Object.entries(filters)) {
    if (value === '') query.delete(name)
    else query.set(name, value)
  }
  putHere(query)
}

/** Puts the open project into the address. */
export const setProject = (): void => putHere(route.value.query)

const putHere = (query: URLSearchParams): void =>
  replaceWith(`${href(...route.value.path)}${query.size === 0 ? '' : `?${query}`}`)

/** Replaces the address, without an entry in the browser's history. */
export function replaceWith(fragment: string): void {
  history.replaceState(null, '', fragment === '' ? location.pathname : fragment)
  hash.value = fragment
}

/**
 * Returns a decoded part of an address. An address that was typed by hand can hold invalid escapes, which stay as they
 * are.
 */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
