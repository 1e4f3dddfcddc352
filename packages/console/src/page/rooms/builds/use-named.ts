import { useMemo } from 'preact/hooks'
import { useLive } from '../../data/hooks'
import { namedOf } from './named'

/** Returns the project's builds by name, in the order of `namedOf`. */
export function useNamed() {
  const [builds, queues, servers] = [useLive('build'), useLive('queue'), useLive('server')]
  const turns = [builds.things.revision.value, queues.things.revision.value, servers.things.revision.value]
  const named = useMemo(() => namedOf(builds.things.all(), queues.things.all(), servers.things.all()), turns)
  return { live: builds, named }
}
