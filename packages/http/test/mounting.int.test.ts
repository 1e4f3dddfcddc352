import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const here = fileURLToPath(new URL('.', import.meta.url))
const readme = readFileSync(join(here, '..', 'README.md'), 'utf8')

/** Code that an embedder adds: it creates a project with a queue, and a key for the project's players. */
const WITH_A_QUEUE = `
const project = await matchyard.projects.ensure({ name: 'Mounted' })
await matchyard.queues.create({ projectId: project.id, queueId: 'duel', name: 'Duel' })
const { value } = await matchyard.keys.mint({ accountId: project.accountId, projectId: project.id, type: 'client' })
console.log('key', value, '.')
`

/** Runs the program of the README that contains this line. Resolves to its base address and its output. */
async function startProgram(line: string, more = ''): Promise<{ base: string; said: string }> {
  const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '')
  const code = blocks.find((block) => block.includes(line))
  if (code === undefined) throw new Error(`no program of the README has the line ${line}`)
  // The program is inside the package, so that its imports are found.
  const folder = mkdtempSync(join(here, '.run-'))
  writeFileSync(join(folder, 'program.mts'), code + more)
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
    const isReady = said.includes('listening on') && (more === '' || / \.\s/.test(said))
    if (isReady && port !== undefined) return { base: `http://localhost:${port}`, said }
  }
  throw new Error(`it ended without listening: ${said}`)
}

it.each([
  ['express', "import express from 'express'"],
  ['fastify', "import { fastify } from 'fastify'"],
])(
  'mounted in %s as the README says, it reads bodies, answers and refuses, beside the routes of the backend',
  async (name, line) => {
    const { base } = await startProgram(line)
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

it.each([
  ['express', "import express from 'express'"],
  ['fastify', "import { fastify } from 'fastify'"],
])('an event stream through %s tells a change as it happens, and ends with its lobby', async (_, line) => {
  const { base, said } = await startProgram(line, WITH_A_QUEUE)
  const call = async (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
    const answer = await fetch(`${base}/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return (answer.status === 204 ? {} : await answer.json()) as Record<string, never>
  }
  const player = { 'api-key': / (\S+) \.\s/.exec(said)?.[1] ?? '', 'x-player-id': 'ann' }
  const { lobby_id } = await call('POST', '/lobbies', player, { queue_id: 'duel' })

  const stream = await fetch(`${base}/v1/lobbies/${lobby_id}/events`, { headers: player })
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  const told: string[] = []
  const text = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let rest = ''; ; ) {
    const { done, value } = (await text?.read()) ?? { done: true, value: undefined }
    if (done) break
    rest += value
    for (const [, event = ''] of rest.matchAll(/^event: (.*)$/gm)) {
      told.push(event)
      if (event === 'connected')
        await call('PATCH', `/lobbies/${lobby_id}/settings`, player, { settings: { map: 'sea' } })
      if (event === 'lobby_updated') await call('DELETE', `/lobbies/${lobby_id}`, player)
    }
    rest = rest.slice(rest.lastIndexOf('\n\n') + 1)
  }
  expect(told).toEqual(['connected', 'lobby_updated', 'lobby_deleted'])
})
