import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@matchyard/server/testing'
import { eventually } from '../../eventually'
import type { Balancer } from './balancer'

/** PATH with the folders of administrators' programs, which the PATH of some users lacks. */
const PATH = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`
const env = { ...process.env, PATH }

export const nginxIsHere = (): boolean => spawnSync('nginx', ['-v'], { env }).status === 0

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

/**
 * Returns the nginx configuration of docs/self-hosting.md, with connections to the nodes that stay open, and without
 * retries, which would hide failed calls.
 */
const configuration = (folder: string, port: number, nodes: readonly number[]) => `
daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log stderr warn;
events { worker_connections 8192; }
http {
  access_log off;
  ${TEMPORARY.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  upstream nodes {
    least_conn;
    ${nodes.map((node) => `server 127.0.0.1:${node} max_fails=0;`).join('\n    ')}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://nodes;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
      proxy_request_buffering off;
      proxy_read_timeout 60s;
      proxy_next_upstream off;
    }
  }
}
`

/**
 * Starts a real nginx. It receives its list of nodes in a new configuration and a HUP signal, as an ingress controller
 * would send them.
 */
export async function nginxBalancer(ports: readonly number[]): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), 'matchyard-nginx-'))
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  const write = (nodes: readonly number[]) => writeFileSync(file, configuration(folder, port, nodes))
  write(ports)
  const child = spawn('nginx', ['-p', folder, '-c', file], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk
  })
  const baseUrl = `http://127.0.0.1:${port}`
  const end = () => ended(child, folder)
  try {
    await eventually(
      () => fetch(`${baseUrl}/livez`).then(({ status }) => status, String),
      (status) => {
        if (child.exitCode !== null) throw new Error(`nginx: ${said}`)
        return status === 200
      },
    )
  } catch (error) {
    await end()
    throw error
  }
  return {
    name: 'nginx',
    baseUrl,
    async use(nodes) {
      write(nodes)
      child.kill('SIGHUP')
    },
    stop: end,
  }
}

async function ended(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}
