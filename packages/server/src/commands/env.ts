import { join } from 'node:path'
import { defineCommand } from 'citty'
import { readServiceFile } from '../operator/running-service'
import { print } from '../service/print'
import { tellFailure } from '../service/tell-failure'

/**
 * Returns the value in single quotes. A shell takes every character between them literally, except the single quote.
 */
const quoted = (value: string): string => `'${value.replaceAll("'", String.raw`'\''`)}'`

/**
 * Prints shell commands that set the address of the service and its keys, for programs that are started in that shell.
 */
export const env = defineCommand({
  meta: {
    name: 'env',
    description: 'Print MATCHYARD_URL and the keys as lines for a shell: eval "$(matchyard env)"',
  },
  args: {
    file: {
      type: 'positional',
      description: 'What `accounts create --json` printed (default: credentials.json of `dev`)',
      required: false,
    },
  },
  run: ({ args }) =>
    tellFailure(async () => {
      const variables = readServiceFile(
        args.file || join(process.env.MATCHYARD_DATA || '.matchyard', 'credentials.json'),
      )
      const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${quoted(value)}\n`)
      await print(lines.join(''))
    }),
})
