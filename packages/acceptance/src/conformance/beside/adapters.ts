import type { BuildStore, LaunchSpec, Orchestrator } from '@matchyard/core/ports'
import type { FakeBuildStore, FakeOrchestrator } from '@matchyard/testkit'
import type { ReleaseModules } from './release'

/** What a node sees of the game servers that a test holds in one hand: those that it launched itself, as on a machine of its own. */
export function seenBy(nodeId: string, whole: FakeOrchestrator, launchedBy: Map<string, string>): Orchestrator {
  const launch = async (spec: LaunchSpec) => {
    const earlier = launchedBy.get(spec.instanceId)
    launchedBy.set(spec.instanceId, nodeId)
    const result = await whole.launch(spec)
    if (!result.ok && earlier !== undefined) launchedBy.set(spec.instanceId, earlier)
    return result
  }
  const observe: Orchestrator['observe'] = async (...of) =>
    (await whole.observe(...of)).filter(({ instanceId }) => launchedBy.get(instanceId) === nodeId)
  return instead(whole, { launch, observe })
}

/** For a release whose classes of errors are its own. */
export function throwingIts({ ports }: ReleaseModules, store: FakeBuildStore): BuildStore {
  const receive: BuildStore['receive'] = (...upload) =>
    store.receive(...upload).catch((error: Error) => {
      const its = (ports as unknown as Record<string, new (message: string) => Error>)[error.constructor.name]
      throw its === undefined ? error : new its(error.message)
    })
  return instead<BuildStore>(store, { receive })
}

/** The same object, some of its calls replaced. */
const instead = <T extends object>(whole: T, calls: Partial<T>): T =>
  new Proxy(whole, {
    get(target, name) {
      const value = name in calls ? calls[name as keyof T] : Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
