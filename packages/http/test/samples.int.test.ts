import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { monoMissing } from '@matchyard/tooling/mono'
import { type OptionalProgram, skipWithout } from '@matchyard/tooling/needs'
import { temporaryFolder } from '@matchyard/tooling/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openApiDocument } from '../src/openapi/document'
import { EXAMPLES } from '../src/openapi/examples'
import type { CodeSample } from '../src/openapi/samples'
import { ENDPOINTS } from '../src/routes/index'
import { recordExamples } from './examples/record'
import type { Perform } from './examples/recorder'
import { type Front, frontOf } from './examples/samples/front'
import {
  csharpSamples,
  curlSamples,
  javascriptSamples,
  type Samples,
  type Variables,
} from './examples/samples/languages'
import { asTold } from './harness/answers-as-told'
import { type Answer, answerOf, type CallOptions } from './harness/client'

interface Described {
  readonly operationId: string
  readonly 'x-codeSamples': readonly CodeSample[]
}

const document = openApiDocument(ENDPOINTS, '1')
const described = Object.values(document.paths as Record<string, Record<string, Described>>).flatMap((methods) =>
  Object.values(methods),
)

/** Returns the samples of one language in the document, by operation. */
const sourcesIn = (label: string): ReadonlyMap<string, string> =>
  new Map(
    described.map((operation) => [
      operation.operationId,
      operation['x-codeSamples'].find((sample) => sample.label === label)?.source ?? '',
    ]),
  )

const LANGUAGES: readonly {
  readonly label: string
  readonly program?: OptionalProgram
  readonly missing?: () => string | undefined
  readonly ready: (sources: ReadonlyMap<string, string>, folder: string) => Promise<Samples>
}[] = [
  {
    label: 'curl',
    program: 'curl',
    missing: () => (spawnSync('curl', ['--version']).status === 0 ? undefined : 'no curl'),
    ready: curlSamples,
  },
  { label: 'JavaScript', ready: javascriptSamples },
  { label: 'C#', program: 'mono', missing: monoMissing, ready: csharpSamples },
]

/**
 * Returns the variables that a user exports before the sample of a call: the address, and the credential of the call.
 */
function variablesOf(url: string, path: string, { key, token }: CallOptions): Variables {
  return {
    MATCHYARD_URL: url,
    ...(key === undefined ? {} : { [key.startsWith('ck_') ? 'MATCHYARD_CLIENT_KEY' : 'MATCHYARD_SERVER_KEY']: key }),
    ...(token === undefined ? {} : { [variableOf(path, token)]: token }),
    ...(path.startsWith('/v1/uploads/') ? { MATCHYARD_UPLOAD_URL: `${url}${path}` } : {}),
  }
}

const variableOf = (path: string, token: string) =>
  ['/metrics', '/top'].includes(path)
    ? 'METRICS_TOKEN'
    : token.startsWith('srvt_')
      ? 'MATCHYARD_SERVER_TOKEN'
      : 'MATCHYARD_SESSION'

/** Returns a function that makes calls by running their samples. The output of a sample is the answer. */
const bySamples =
  (samples: Samples, front: Front): Perform =>
  async (operation, what, options) => {
    const [method = '', path = ''] = what.split(' ')
    const text = await samples.run(operation, variablesOf(front.url, path, options)).catch((error: Error) => {
      throw new Error(`the sample of ${operation}: ${error.message}`)
    })
    // The recorded examples have this address.
    const printed = text.replaceAll(front.url, 'http://localhost')
    const sent = front.last()
    if (sent === undefined) throw new Error(`the sample of ${operation} called nobody`)
    const { status, headers } = sent
    const answer: Answer = await answerOf(new Response(printed === '' ? null : printed, { status, headers }))
    asTold(method, path, answer)
    return answer
  }

describe('every sample is run, in the state that its example needs, and is answered as the example', () => {
  for (const { label, program, missing, ready } of LANGUAGES) {
    test(label, { timeout: 120_000 }, async (context) => {
      const why = missing?.()
      if (program !== undefined && why !== undefined) skipWithout(context, program, why)
      const folder = await temporaryFolder()
      await writeFile(join(folder, 'build.zip'), 'PK')
      const samples = await ready(sourcesIn(label), folder)
      onTestFinished(() => samples.close())
      const performed = await recordExamples(async (service) => {
        const front = await frontOf(service.app)
        onTestFinished(() => front.close())
        return bySamples(samples, front)
      })
      // The command `matchyard agent` makes the calls of agents, which have no example.
      const shown = ENDPOINTS.map(({ operation }) => operation).filter((operation) => !operation.startsWith('machine.'))
      expect(Object.keys(performed).sort()).toEqual(shown.sort())
      expect(performed).toEqual(JSON.parse(EXAMPLES))
    })
  }
})

test('no sample holds a key', () => {
  const written = JSON.stringify(described.map((operation) => operation['x-codeSamples']))
  expect(written).not.toMatch(/[cs]k_live_|srvt_|Bearer [^$"\\]/)
})
