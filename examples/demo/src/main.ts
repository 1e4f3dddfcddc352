import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { showArena } from './arena'
import { type Credentials, play, type Step } from './play'

/** The `matchyard` command, as the workspace builds it. */
const COMMAND = fileURLToPath(new URL('../../../packages/server/dist/cli.js', import.meta.url))

/** Returns the credentials of the service that runs on this data folder; undefined when none answers. */
async function running(directory: string): Promise<Credentials | undefined> {
  const file = join(directory, 'credentials.json')
  if (!existsSync(file)) return undefined
  const credentials = JSON.parse(readFileSync(file, 'utf8')) as Credentials
  const alive = await fetch(new URL('/livez', credentials.base_url)).then(
    (answer) => answer.ok,
    () => false,
  )
  return alive ? credentials : undefined
}

/** Starts a service for the demo in a temporary folder. */
async function fresh(options: readonly string[]): Promise<{ credentials: Credentials; stop: () => Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'matchyard-demo-'))
  const service = spawn(process.execPath, [COMMAND, 'dev', '--port', '0', '--data', directory, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>((done) => service.once('exit', () => done()))
  await new Promise<void>((up, reject) => {
    service.stdout.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('Matchyard is up')) up()
    })
    service.once('exit', () => reject(new Error('the service did not start')))
  })
  const credentials = await running(directory)
  if (credentials === undefined) throw new Error('the service does not answer')
  const stop = async () => {
    service.kill('SIGINT')
    await exited
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
  return { credentials, stop }
}

const OPTIONS = {
  script: { type: 'boolean' },
  image: { type: 'string' },
  'ready-check': { type: 'boolean' },
  backfill: { type: 'boolean' },
} as const
const USAGE = 'npm run demo [-- --lan[=ADDRESS] | --script [--image <image>] [--ready-check] [--backfill]]'

const words = process.argv.slice(2)
/** The option of `matchyard dev` for players on the same network, which may name an address. */
const lan = words.filter((word) => /^--lan(=|$)/.test(word))

/** Returns the other options of the command line; exits with a sentence for unknown ones. */
function wanted() {
  try {
    return parseArgs({ args: words.filter((word) => !lan.includes(word)), options: OPTIONS }).values
  } catch (error) {
    console.error(`  ${error instanceof Error ? error.message : String(error)}\n  usage: ${USAGE}`)
    process.exit(2)
  }
}

// `npm run demo` starts a game to play. `npm run demo -- --script` plays a match by itself and prints each step;
// options of the script have the same effect. With `--image local/arena:1`, against a service that runs containers, the
// game server comes from that image. With `--lan`, players on the same network can play.
const values = wanted()
const isScript = Object.keys(values).length > 0
const known = await running(resolve(process.env.MATCHYARD_DATA ?? '.matchyard'))
if (lan.length > 0 && known !== undefined && isLoopback(known.base_url)) {
  console.error('  the running service answers this machine only; end it, or start it by: npm start -- --lan')
  process.exit(2)
}
const service =
  known === undefined
    ? await fresh(lan).catch((error: Error) => {
        console.error(`  failed: ${error.message}`)
        return process.exit(1)
      })
    : { credentials: known, stop: async () => {} }
console.log(
  `  playing against ${known === undefined ? 'a fresh service' : 'the running service'} at ${service.credentials.base_url}\n`,
)
try {
  if (isScript) await playForYou(service.credentials)
  else await showArena(service.credentials)
} catch (error) {
  console.error(`\n  failed: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  await service.stop()
}

/** Whether a URL leads to this machine by an address that other machines cannot use. */
function isLoopback(url: string): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url).hostname)
}

async function playForYou(credentials: Credentials): Promise<void> {
  const tell = ({ atMs, what }: Step) => console.log(`  ${atMs.toFixed(0).padStart(6)} ms  ${what}`)
  const { matchMs } = await play(credentials, tell, {
    image: values.image,
    readyCheck: values['ready-check'],
    backfill: values.backfill,
  })
  console.log(`\n  success: ${matchMs.toFixed(0)} ms from the queue to the lobbies waiting again`)
  console.log('  to play yourself, in two browser windows: npm run demo')
}
