import { BUILD_TRANSITIONS } from '../src/build/transitions'
import { LOBBY_TRANSITIONS } from '../src/lobby/transitions'
import { MACHINE_TRANSITIONS } from '../src/machine/transitions'
import { MATCH_TRANSITIONS } from '../src/match/transitions'
import { SERVER_TRANSITIONS } from '../src/server/transitions'
import type { Transition } from '../src/shared/transitions'
import { DELIVERY_TRANSITIONS } from '../src/webhook/transitions'

type Table = readonly Transition<string>[]

const TABLES: readonly { readonly title: string; readonly from: string; readonly table: Table }[] = [
  { title: 'Lobby', from: 'packages/core/src/lobby/transitions.ts', table: LOBBY_TRANSITIONS },
  { title: 'Match', from: 'packages/core/src/match/transitions.ts', table: MATCH_TRANSITIONS },
  { title: 'Game server', from: 'packages/core/src/server/transitions.ts', table: SERVER_TRANSITIONS },
  { title: 'Machine', from: 'packages/core/src/machine/transitions.ts', table: MACHINE_TRANSITIONS },
  { title: 'Build', from: 'packages/core/src/build/transitions.ts', table: BUILD_TRANSITIONS },
  { title: 'Delivery to a webhook', from: 'packages/core/src/webhook/transitions.ts', table: DELIVERY_TRANSITIONS },
]

const INTRO = `# States

Generated from the state tables by \`npm run generate\`; a test fails when this page is older than they are. A status changes
by a row of its table or not at all. "Source" says which part of the specification or of [http-api.md](http-api.md) a row comes from.
`

/** The text of \`docs/states.md\`. */
export const statesPage = (): string => `${[INTRO, ...TABLES.map(section)].join('\n')}`

const section = ({ title, from, table }: (typeof TABLES)[number]): string => `## ${title}

${diagram(table)}

${grid([['from', 'trigger', 'to', 'source'], ...table.map(row)])}

Table: \`${from}\`.
`

const row = ({ from, trigger, to, source }: Transition<string>): string[] => [
  cell(from),
  `\`${trigger}\``,
  cell(to),
  source,
]

/** Columns of one width, as the formatter wants them. */
function grid([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((cells) => cells[column]?.length ?? 0)))
  const line = (cells: readonly string[]) => `| ${cells.map((text, i) => text.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

const cell = (status: string | null): string => (status === null ? '(none)' : `\`${status}\``)

const diagram = (table: Table): string => ['```mermaid', 'stateDiagram-v2', ...table.map(arrow), '```'].join('\n')

const arrow = ({ from, trigger, to }: Transition<string>): string => `  ${from ?? '[*]'} --> ${to ?? '[*]'}: ${trigger}`
