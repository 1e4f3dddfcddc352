import { join } from 'node:path'
import { standardOutput } from '../service/standard-streams'
import { firstCalls } from './first-calls'
import type { Credentials } from './local-files'

export interface Welcome {
  readonly credentials: Credentials
  readonly directory: string
  /** One-time code for signing in at the console; undefined if there is no console. */
  readonly code: string | undefined
  readonly startedInMs: number
}

/** Prints the welcome of `matchyard dev`: its address, the demo's keys, and three calls to try. */
export function printWelcome({ credentials, directory, code, startedInMs }: Welcome): void {
  const { base_url: url, email, client_key: client, server_key: server } = credentials
  const lines = [
    '',
    `  Matchyard is up at ${url}   (${Math.round(startedInMs)} ms)`,
    '',
    // The code is in the fragment of the URL. Browsers do not send the fragment, so no log contains the code.
    ...(code === undefined
      ? []
      : [
          `  Console: ${url}/console/#code=${code}   (signs you in; once, within ten minutes)`,
          `           after that sign in as ${email}; the password is in ${join(directory, 'credentials.json')}`,
          '',
        ]),
    `  client key   ${client}`,
    `  server key   ${server}`,
    `  data         ${directory}   (credentials.json holds the keys and the demo login)`,
    `  reference    ${url}/reference`,
    '',
    "  Create a lobby, list the lobbies, read the queue's statistics:",
    '',
    ...firstCalls({ url, client, server }),
    '',
    '  Ctrl-C stops the service and its game servers.',
    '',
  ]
  standardOutput().write(lines.join('\n'))
}
