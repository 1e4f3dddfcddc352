import { EVERYWHERE, NAMES_OF } from './wire/codec/wire-names'

const FROM = '<!-- names: npm run generate -->'
const TO = '<!-- names end -->'

type Row = readonly [library: string, http: string, object: string]

/** Returns the fields whose names differ between the library and HTTP by more than snake_case. */
function rows(): Row[] {
  const everywhere = Object.entries(EVERYWHERE).map(([library, http]): Row => [library, http, 'every object'])
  // The catalogue of errors is a page of the HTTP interface, and no object of the library.
  const { errorExample: _, errorIndex: __, ...objects } = NAMES_OF
  const ofObjects = Object.entries(objects).flatMap(([object, names]) =>
    Object.entries(names).map(([library, http]): Row => [library, http, object]),
  )
  return [...everywhere, ...ofObjects].sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[2] < b[2] ? -1 : 1))
}

/** Returns the section of docs/embedding.md with the table of names that differ. */
export function namesSection(): string {
  const body = rows().map(([library, http, object]) => `| \`${library}\` | \`${http}\` | ${object} |`)
  return [FROM, '', '| in the library | over HTTP | in |', '| --- | --- | --- |', ...body, '', TO].join('\n')
}

/** Returns docs/embedding.md with a new table of names. */
export function withNames(page: string): string {
  const [before = '', rest = ''] = page.split(FROM)
  const [, after = ''] = rest.split(TO)
  return `${before}${namesSection()}${after}`
}
