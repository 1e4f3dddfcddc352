using System;
using System.Collections;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>Coroutines for tasks: <c>yield return client.Play("duel").AsCoroutine(match => …, error => …)</c>.</summary>
    public static class TaskCoroutines
    {
        /// <summary>
        /// Waits frame by frame until the task is done, then calls one of the two callbacks; a cancelled task gives an
        /// OperationCanceledException.
        /// </summary>
        public static IEnumerator AsCoroutine<T>(this Task<T> task, Action<T> onDone, Action<Exception> onFailed = null)
        {
            while (!task.IsCompleted) yield return null;
            if (task.Status == TaskStatus.RanToCompletion) onDone(task.Result);
            else Fail(task, onFailed);
        }

        /// <summary>Waits for a task without a result.</summary>
        public static IEnumerator AsCoroutine(this Task task, Action onDone = null, Action<Exception> onFailed = null)
        {
            while (!task.IsCompleted) yield return null;
            if (task.Status != TaskStatus.RanToCompletion) Fail(task, onFailed);
            else if (onDone != null) onDone();
        }

        private static void Fail(Task task, Action<Exception> onFailed)
        {
            var error = task.IsCanceled ? new TaskCanceledException(task) : task.Exception.GetBaseException();
            // A coroutine cannot throw to its caller; the console shows the error instead of silence.
            if (onFailed == null) throw new InvalidOperationException("a task failed, and nobody asked to be told: " + error.Message, error);
            onFailed(error);
        }
    }
}
