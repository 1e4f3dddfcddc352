import { Empty, Page } from '../../ui'

/** What is shown until there is more of it. */
export function View() {
  return (
    <Page title="Matches">
      <Empty icon="matches" title="Nothing here yet" />
    </Page>
  )
}
