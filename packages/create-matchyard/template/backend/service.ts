import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Address and keys of Matchyard. Only the backend may know the server key. */
export interface Matchyard {
  readonly baseUrl: string
  readonly clientKey: string
  readonly serverKey: string
  stop(): Promise<void>
}

/**
 * Returns the service of the environment variables, as in production; without them, starts one here with its data in
 * `folder`.
 */
export async function findMatchyard(folder: string): Promise<Matchyard> {
  const { MATCHYARD_URL, MATCHYARD_CLIENT_KEY, MATCHYARD_SERVER_KEY } = process.env
  if (MATCHYARD_URL !== undefined) {
    if (MATCHYARD_CLIENT_KEY === undefined || MATCHYARD_SERVER_KEY === undefined) {
      throw new Error('MATCHYARD_URL is set: set MATCHYARD_CLIENT_KEY and MATCHYARD_SERVER_KEY too')
    }
    const keys = { clientKey: MATCHYARD_CLIENT_KEY, serverKey: MATCHYARD_SERVER_KEY }
    return { baseUrl: MATCHYARD_URL, ...keys, stop: async () => {} }
  }
  return startMatchyard(folder)
}

/** Starts `matchyard dev` on a free port. */
async function startMatchyard(folder: string): Promise<Matchyard> {
  const command = fileURLToPath(new URL('./cli.js', import.meta.resolve('@matchyard/server')))
  const args = [command, 'dev', '--port', '0', '--data', folder]
  // The service has its own process group: Ctrl-C reaches only this process, which stops the service, which stops its
  // game servers.
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  const exited = new Promise<void>((done) => child.once('exit', () => done()))
  let output = ''
  await new Promise<void>((up, failed) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk
      if (output.includes('Matchyard is up')) up()
    })
    child.once('exit', (code) => failed(new Error(`Matchyard ended with code ${code}:\n${output}`)))
  })
  const { base_url, client_key, server_key } = JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8'))
  const stop = () => {
    child.kill('SIGINT')
    return exited
  }
  return { baseUrl: base_url, clientKey: client_key, serverKey: server_key, stop }
}
