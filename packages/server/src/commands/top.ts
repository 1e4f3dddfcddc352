import { defineCommand } from 'citty'
import { ConfigurationError } from '../config/configuration-error'
import { readTop, topAddress } from '../operator/read-top'
import { print } from '../service/print'
import { tellFailure } from '../service/tell-failure'
import { tableOf } from '../top/table'
import { KINDS, type Kind } from '../top/top'

const EVERY_MS = 2_000
/** Control characters that clear the screen and move the cursor to the first line. */
const CLEAR = '\u001b[2J\u001b[H'

/** Command that shows the busiest callers of a running node. */
export const top = defineCommand({
  meta: {
    name: 'top',
    description:
      'Show which projects, keys or addresses call most right now. Reads MATCHYARD_URL (default: HOST and PORT here) with METRICS_TOKEN.',
  },
  args: {
    by: { type: 'string', description: `${KINDS.join(', ')}`, default: 'project' },
    once: { type: 'boolean', description: 'Print it once and end', default: false },
    json: { type: 'boolean', description: 'Print what the service tells, as JSON, once', default: false },
  },
  run: ({ args }) =>
    tellFailure(async () => {
      const kind = chosenKind(args.by)
      const address = topAddress(process.env)
      if (args.json) return print(`${JSON.stringify(await readTop(address), null, 2)}\n`)
      if (args.once) return print(tableOf(await readTop(address), kind))
      for (;;) {
        const table = tableOf(await readTop(address), kind)
        process.stdout.write(CLEAR)
        await print(table)
        await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
      }
    }),
})

function chosenKind(text: string): Kind {
  const kind = KINDS.find((one) => one === text)
  if (kind !== undefined) return kind
  throw new ConfigurationError(`--by: ${JSON.stringify(text)} is not known; give one of ${KINDS.join(', ')}`)
}
