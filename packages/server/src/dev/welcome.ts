import { join } from 'node:path'
import { standardOutput } from '../service/standard-streams'
import { firstCalls } from './first-calls'
import type { Credentials } from './local-files'
import { qrCode } from './qr-code'

export interface Welcome {
  readonly credentials: Credentials
  readonly directory: string
  /** One-time code for signing in at the console; undefined if there is no console. */
  readonly code: string | undefined
  readonly startedInMs: number
  /** Port on which players on the same network are answered; undefined without `--lan`. */
  readonly lanPort: number | undefined
}

/** Prints the welcome of `matchyard dev`: its address, the demo's keys, and three calls to try. */
export function printWelcome({ credentials, directory, code, startedInMs, lanPort }: Welcome): void {
  const { base_url: url, email, client_key: client, server_key: server } = credentials
  // In a browser, pages at a loopback address may do more than pages at an address of the network without TLS.
  const local = lanPort === undefined ? url : `http://127.0.0.1:${lanPort}`
  const lines = [
    '',
    `  Matchyard is up at ${url}   (${Math.round(startedInMs)} ms)`,
    '',
    ...(lanPort === undefined ? [] : [...forTheNetwork(url), '']),
    // The code is in the fragment of the URL. Browsers do not send the fragment, so no log contains the code.
    ...(code === undefined
      ? []
      : [
          `  Console: ${local}/console/#code=${code}   (signs you in; once, within ten minutes)`,
          `           after that sign in as ${email}; the password is in ${join(directory, 'credentials.json')}`,
          '',
        ]),
    `  client key   ${client}`,
    `  server key   ${server}`,
    `  data         ${directory}   (credentials.json holds the keys and the demo login)`,
    `  reference    ${local}/reference`,
    '',
    "  Create a lobby, list the lobbies, read the queue's statistics:",
    '',
    ...firstCalls({ url, client, server }),
    '',
    // The code is near the end, so that it is in sight on a small terminal.
    ...(lanPort !== undefined && process.stdout.isTTY ? [...qrCode(url).map((line) => `  ${line}`), ''] : []),
    '  Ctrl-C stops the service and its game servers.',
    '',
  ]
  standardOutput().write(lines.join('\n'))
}

/** Returns the lines about the network: the address for players, and the calls that stay closed. */
const forTheNetwork = (url: string): readonly string[] => [
  `  Players and game servers on this network use ${url}.`,
  '  Accounts, keys, builds, secrets, logs, the console, /metrics and /reference answer this machine alone.',
]
