import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const here = fileURLToPath(new URL('.', import.meta.url))
const readme = readFileSync(join(here, '..', 'README.md'), 'utf8')

/** The program of the README that has this line, running; answers where it listens. */
async function startProgram(line: string): Promise<string> {
  const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '')
  const code = blocks.find((block) => block.includes(line))
  if (code === undefined) throw new Error(`no program of the README has the line ${line}`)
  // Inside the package, so that what it imports is found.
  const folder = mkdtempSync(join(here, '.run-'))
  writeFileSync(join(folder, 'program.mts'), code)
  const args = ['--conditions=@matchyard/source', '--import', 'tsx', join(folder, 'program.mts')]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  })
  let said = ''
  for await (const chunk of child.stdout) {
    said += String(chunk)
    const port = /(?:port: |:)(\d+)\s/.exec(said)?.[1]
    if (said.includes('listening on') && port !== undefined) return `http://localhost:${port}`
  }
  throw new Error(`it ended without listening: ${said}`)
}

it.each([
  ['express', "import express from 'express'"],
  ['fastify', "import { fastify } from 'fastify'"],
])(
  'mounted in %s as the README says, it reads bodies, answers and refuses, beside the routes of the backend',
  async (name, line) => {
    const base = await startProgram(line)
    const json = { 'content-type': 'application/json' }
    const account = { email: 'ann@example.com', password: 'correct horse battery staple', name: 'Ann' }

    const registered = await fetch(`${base}/v1/auth/register`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify(account),
    })
    const answer = (await registered.json()) as { account?: { email?: string } }
    expect([registered.status, answer]).toMatchObject([201, { account: { email: account.email } }])

    const refused = await fetch(`${base}/v1/lobbies`, { method: 'POST', headers: json, body: '{' })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('content-type')).toContain('application/problem+json')
    expect((await fetch(`${base}/v1/nothing`)).status).toBe(404)

    expect(await (await fetch(`${base}/mine`)).json()).toEqual({ from: name })
  },
)
