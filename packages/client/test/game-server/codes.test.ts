import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { codesIn } from '@matchyard/tooling/documented-answers'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')

interface OpenApi {
  readonly paths: Record<
    string,
    Record<string, { readonly responses: Record<string, { readonly description: string }> }>
  >
}

it('knows every code that the service may refuse a game server with', () => {
  const { paths } = JSON.parse(read('../../../../docs/openapi.json')) as OpenApi
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    path.startsWith('/v1/servers/self') ? Object.values(methods) : [],
  )
  const refusals = operations.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, { description }]) =>
      Number(status) < 400 ? [] : codesIn(description),
    ),
  )
  // Whoever sends too much is told by the brakes in front of every call.
  const served = [...new Set([...refusals, 'RATE_LIMITED'])].sort()
  const type = /GameServerErrorCode =\n([\s\S]*?)\n\n/.exec(read('../../src/game-server/error.ts'))?.[1] ?? ''
  expect([...type.matchAll(/'(\w+)'/g)].map(([, code]) => code).sort()).toEqual(served)
})
