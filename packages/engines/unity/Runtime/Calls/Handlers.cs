using System;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>Calls what belongs to the game, whose mistakes must not stop what belongs to us.</summary>
    internal sealed class Handlers
    {
        private readonly Action<Exception> onError;
        private readonly SynchronizationContext context = SynchronizationContext.Current;

        /// <summary>Events are raised where the object was made: on Unity's main thread, wherever the answer arrived.</summary>
        public void InContext(Action action)
        {
            if (context == null || context == SynchronizationContext.Current) action();
            else context.Post(_ => action(), null);
        }

        public Handlers(Action<Exception> onError)
        {
            this.onError = onError ?? Print;
        }

        /// <summary>An error of a task that the game may never look at is not to end the process.</summary>
        public static void Forgive(Task task)
        {
            task.ContinueWith(failed => failed.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted, TaskScheduler.Default);
        }

        /// <summary>Tells of what a task that nobody waits for comes to, should it fail.</summary>
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
                // Whoever is told of errors made one; there is nobody left to tell.
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
