import type { Read } from '../data/hooks'
import { Page } from './page'
import { View } from './states'
import { Id } from './text'

/** Page of one entity that is not read yet, or cannot be read: its id, and the state of the read. */
export function UnreadPage<T>({
  id,
  back,
  read,
}: {
  readonly id: string
  readonly back: { readonly href: string; readonly label: string }
  readonly read: Read<T>
}) {
  return (
    <Page title={<Id>{id}</Id>} back={back} heardAt={read.heardAt}>
      <View of={read.now} again={read.again}>
        {() => null}
      </View>
    </Page>
  )
}
