import { Empty, Page } from '../../ui'

/** What is shown until there is more of it. */
export function View() {
  return (
    <Page title="Settings">
      <Empty icon="settings" title="Nothing here yet" />
    </Page>
  )
}
