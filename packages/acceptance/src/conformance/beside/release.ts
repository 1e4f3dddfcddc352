import { pathToFileURL } from 'node:url'
import type { Readers } from '../service'

/** What is used of a release; in the types of this one, for ports and options only grow. */
export interface ReleaseModules {
  readonly core: typeof import('@matchyard/core')
  readonly ports: typeof import('@matchyard/core/ports')
  readonly http: typeof import('@matchyard/http')
  readonly node: typeof import('@matchyard/node')
  readonly payments: typeof import('@matchyard/payments-manual')
  readonly postgres: typeof import('@matchyard/storage-postgres')
  /** Its own judge: its answers are held to its OpenAPI document. */
  readonly readers: Readers
}

let loaded: Promise<ReleaseModules> | undefined

/** The sources of the release before. */
export function releaseBefore(tree: string): Promise<ReleaseModules> {
  loaded ??= load(tree)
  return loaded
}

async function load(tree: string): Promise<ReleaseModules> {
  const source = (path: string) => import(/* @vite-ignore */ pathToFileURL(`${tree}/packages/${path}.ts`).href)
  const [core, ports, http, node, payments, postgres, client, stream] = await Promise.all([
    source('core/src/index'),
    source('core/src/entries/ports'),
    source('http/src/index'),
    source('node/src/index'),
    source('payments-manual/src/index'),
    source('storage-postgres/src/index'),
    source('acceptance/src/conformance/client'),
    source('acceptance/src/conformance/stream'),
  ])
  const readers: Readers = { send: client.send, openStream: (...call) => stream.Stream.open(...call) }
  return { core, ports, http, node, payments, postgres, readers }
}
