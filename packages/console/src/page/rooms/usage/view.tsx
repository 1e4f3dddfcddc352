import { Empty, Page } from '../../ui'

/** What is shown until there is more of it. */
export function View() {
  return (
    <Page title="Usage and plan">
      <Empty icon="usage" title="Nothing here yet" />
    </Page>
  )
}
