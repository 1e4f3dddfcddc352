import { join } from 'node:path'
import { defineCommand } from 'citty'
import { readServiceFile } from '../operator/running-service'
import { print } from '../service/print'
import { tellFailure } from '../service/tell-failure'

/** In single quotes a shell takes every character as it is, but the quote itself. */
const quoted = (value: string): string => `'${value.replaceAll("'", String.raw`'\''`)}'`

/** Where the service is, and the keys to it, for the shell that programs are started from. */
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
