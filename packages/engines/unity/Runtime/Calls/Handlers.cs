using System;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>Calls handlers of the game. An exception in a handler must not stop the package.</summary>
    internal sealed class Handlers
    {
        private readonly Action<Exception> onError;
        private readonly SynchronizationContext context = SynchronizationContext.Current;

        /// <summary>
        /// Runs an action on the thread that created the object: in Unity the main thread, even when the answer arrived
        /// on another thread.
        /// </summary>
        public void InContext(Action action)
        {
            if (context == null || context == SynchronizationContext.Current) action();
            else context.Post(_ => action(), null);
        }

        public Handlers(Action<Exception> onError)
        {
            this.onError = onError ?? Print;
        }

        /// <summary>Keeps an unobserved error of a task from ending the process.</summary>
        public static void Forgive(Task task)
        {
            task.ContinueWith(failed => failed.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted, TaskScheduler.Default);
        }

        /// <summary>Reports the failure of a task that no caller awaits.</summary>
        public void Watch(Task task)
        {
            task.ContinueWith(failed => Report(failed.Exception), CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted, TaskScheduler.Default);
        }

        public void Raise(Action handler)
        {
            try
            {
                handler();
            }
            catch (Exception error)
            {
                Report(error);
            }
        }

        public void Report(Exception error)
        {
            try
            {
                onError(error);
            }
            catch (Exception)
            {
                // The error handler itself has failed, so the exception cannot be reported.
            }
        }

        private static void Print(Exception error)
        {
#if UNITY_5_3_OR_NEWER
            UnityEngine.Debug.LogException(error);
#else
            Console.Error.WriteLine(error);
#endif
        }
    }
}
