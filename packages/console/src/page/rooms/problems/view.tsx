import type { ProjectProblem } from '@matchyard/client/admin'
import { useProblems } from '../../data/problems'
import { Card, counted, Empty, Page, View as Shown } from '../../ui'
import { ProblemList } from './problem-list'

/** Section of the problems: errors first, then warnings. */
export function View() {
  const read = useProblems()
  return (
    <Page title="Problems" heardAt={read.heardAt}>
      <Shown of={read.now} as="rows" again={read.again}>
        {(problems) => (problems.length === 0 ? <NoneAtAll /> : <Sorted of={problems} again={read.again} />)}
      </Shown>
    </Page>
  )
}

const NoneAtAll = () => (
  <Empty icon="check" title="No problems">
    Checked: launches, builds, webhooks, plan limits and waiting times.
  </Empty>
)

function Sorted({ of, again }: { readonly of: readonly ProjectProblem[]; readonly again: () => Promise<void> }) {
  const heard = of.filter(({ muted }) => muted === null)
  const muted = of.filter((problem) => problem.muted !== null)
  const errors = heard.filter(({ severity }) => severity === 'error')
  const warnings = heard.filter(({ severity }) => severity !== 'error')
  return (
    <>
      {errors.length > 0 && (
        <Card title="Players cannot play" note={counted(errors.length, 'problem')} flush>
          <ProblemList of={errors} again={again} />
        </Card>
      )}
      {warnings.length > 0 && (
        <Card title="Warnings" note={counted(warnings.length, 'warning')} flush>
          <ProblemList of={warnings} again={again} />
        </Card>
      )}
      {muted.length > 0 && (
        <Card title="Muted" note={counted(muted.length, 'problem')} flush>
          <ProblemList of={muted} again={again} />
        </Card>
      )}
    </>
  )
}
