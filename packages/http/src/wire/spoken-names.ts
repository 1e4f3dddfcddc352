import { SPOKEN_FIELDS, type SpokenCall } from '@matchyard/core/domain'
import { wireName } from './codec/wire-names'

/** Routes of the calls that sentences name. */
const ROUTES: Readonly<Record<SpokenCall, string>> = {
  'matches.assign': 'POST /v1/matches/{match_id}/server',
  'queues.create': 'POST /v1/queues',
  'queues.list': 'GET /v1/queues',
  'ratings.set': 'PUT /v1/ratings/{rating_id}',
  'secrets.set': 'PUT /v1/secrets/{name}',
}

const wirePathOf = (path: string): string =>
  path
    .split('.')
    .map((name) => wireName(name))
    .join('.')

const WIRE_NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(ROUTES),
  ...SPOKEN_FIELDS.map((path) => [path, wirePathOf(path)] as const),
])

const withWireNames = (sentence: string): string =>
  sentence.replaceAll(/`([A-Za-z.]+)`/g, (quoted, name: string) => WIRE_NAMES.get(name) ?? quoted)

/**
 * Returns a sentence of core for callers over HTTP: the fields and calls that it names between backticks get their names
 * in JSON and their routes. Other words between backticks stay unchanged.
 */
export const wireSentence = (text: string): string => (text.includes('`') ? withWireNames(text) : text)
