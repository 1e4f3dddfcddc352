import { Status, Text } from '../../ui'
import type { Named } from './named'
import { launchedNow } from './versions'

/** Shows the version of a build name that new matches launch. */
export function Launched({ of }: { readonly of: Named }) {
  const { words, isWrong } = launchedNow(of)
  return isWrong ? <Status tone="bad">{words}</Status> : <Text>{words}</Text>
}
