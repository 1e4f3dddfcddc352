#if UNITY_5_3_OR_NEWER
using System;
using System.Collections;
using System.Collections.Generic;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using UnityEngine;
using UnityEngine.Networking;

namespace Matchyard
{
    /// <summary>
    /// Calls by UnityWebRequest, which is all that there is in a browser, and heeds the platform's proxies elsewhere. To be made and used on
    /// Unity's main thread.
    /// </summary>
    public sealed class UnityWebRequestTransport : IHttpTransport
    {
        private readonly SynchronizationContext mainThread = SynchronizationContext.Current;

        /// <inheritdoc/>
        public async Task<HttpAnswer> Send(HttpCall call, CancellationToken cancellation)
        {
            cancellation.ThrowIfCancellationRequested();
            var data = new Receiver(call.OnData);
            using (var request = new UnityWebRequest(call.Url.AbsoluteUri, call.Method, data, UploadOf(call)))
            {
                foreach (var header in call.Headers) request.SetRequestHeader(header.Key, header.Value);
                request.redirectLimit = 0;
                // A stream has no end to wait for; whoever reads it sees to its silence.
                request.timeout = call.OnData == null ? (int)Math.Ceiling(call.Timeout.TotalSeconds) : 0;
                var done = new TaskCompletionSource<bool>();
                request.SendWebRequest().completed += _ => done.TrySetResult(true);
                using (var silence = call.OnData == null ? null : new SilenceWatch(data, call.Timeout, () => Abort(request)))
                using (cancellation.Register(() => Abort(request)))
                {
                    await done.Task;
                }
                cancellation.ThrowIfCancellationRequested();
                if (data.Fault != null) throw new HttpTransportException(data.Fault.Message, data.Fault);
                // 0: nobody answered, or not to the end.
                var isBroken = request.responseCode == 0 || data.IsCut(request);
                if (isBroken) throw new HttpTransportException(call.Method + " " + call.Url.GetLeftPart(UriPartial.Path) + ": " + request.error);
                return new HttpAnswer((int)request.responseCode, request.GetResponseHeaders() ?? new Dictionary<string, string>(), data.Bytes);
            }
        }

        /// <summary>Frame by frame, since a browser has no timers for .NET. Not touched by the game's time scale.</summary>
        public Task Delay(TimeSpan time, CancellationToken cancellation)
        {
            var done = new TaskCompletionSource<bool>();
            CoroutineHost.Run(Wait((float)time.TotalSeconds, done, cancellation));
            return done.Task;
        }

        /// <summary>There is nothing to be closed.</summary>
        public void Dispose()
        {
        }

        private static IEnumerator Wait(float seconds, TaskCompletionSource<bool> done, CancellationToken cancellation)
        {
            var until = Time.realtimeSinceStartup + seconds;
            while (Time.realtimeSinceStartup < until && !cancellation.IsCancellationRequested) yield return null;
            if (cancellation.IsCancellationRequested) done.TrySetCanceled();
            else done.TrySetResult(true);
        }

        private static UploadHandler UploadOf(HttpCall call)
        {
            return call.Body == null ? null : new UploadHandlerRaw(Encoding.UTF8.GetBytes(call.Body)) { contentType = "application/json" };
        }

        /// <summary>Unity's objects are for the main thread, and whoever cancels may be on another.</summary>
        private void Abort(UnityWebRequest request)
        {
            if (mainThread == null || mainThread == SynchronizationContext.Current) AbortHere(request);
            else mainThread.Post(_ => AbortHere(request), null);
        }

        private static void AbortHere(UnityWebRequest request)
        {
            try
            {
                request.Abort();
            }
            catch (Exception error) when (error is ArgumentNullException || error is NullReferenceException || error is ObjectDisposedException)
            {
                // It is over and disposed of; there is nothing to be aborted.
            }
        }

        /// <summary>Takes a body as it comes.</summary>
        private sealed class Receiver : DownloadHandlerScript
        {
            private readonly Action<ArraySegment<byte>> onData;
            private readonly List<byte> bytes = new List<byte>();

            public Receiver(Action<ArraySegment<byte>> onData) : base(new byte[8192])
            {
                this.onData = onData;
                LastHeard = Time.realtimeSinceStartup;
            }

            public Exception Fault { get; private set; }

            public float LastHeard { get; private set; }

            public byte[] Bytes
            {
                get { return bytes.ToArray(); }
            }

            /// <summary>Whether an answer that began did not come to its end. A refusal is an error of Unity's too, and is none of ours.</summary>
            public bool IsCut(UnityWebRequest request)
            {
                var isSuccess = request.responseCode >= 200 && request.responseCode <= 299;
                return isSuccess && !string.IsNullOrEmpty(request.error);
            }

            protected override bool ReceiveData(byte[] received, int length)
            {
                LastHeard = Time.realtimeSinceStartup;
                try
                {
                    if (onData != null) onData(new ArraySegment<byte>(received, 0, length));
                    else bytes.AddRange(new ArraySegment<byte>(received, 0, length));
                    return true;
                }
                catch (Exception error)
                {
                    // Not to be thrown through the engine; false ends the request.
                    Fault = error;
                    return false;
                }
            }
        }

        /// <summary>Ends a stream that has said nothing for too long.</summary>
        private sealed class SilenceWatch : IDisposable
        {
            private bool isOver;

            public SilenceWatch(Receiver receiver, TimeSpan longest, Action onSilence)
            {
                CoroutineHost.Run(Watch(receiver, (float)longest.TotalSeconds, onSilence));
            }

            public void Dispose()
            {
                isOver = true;
            }

            private IEnumerator Watch(Receiver receiver, float longest, Action onSilence)
            {
                while (!isOver && Time.realtimeSinceStartup - receiver.LastHeard < longest) yield return null;
                if (!isOver) onSilence();
            }
        }

        /// <summary>An object that lives as long as the game, because coroutines need one.</summary>
        private sealed class CoroutineHost : MonoBehaviour
        {
            private static CoroutineHost host;

            public static void Run(IEnumerator coroutine)
            {
                if (host == null)
                {
                    var made = new GameObject("Matchyard") { hideFlags = HideFlags.HideAndDontSave };
                    DontDestroyOnLoad(made);
                    host = made.AddComponent<CoroutineHost>();
                }
                host.StartCoroutine(coroutine);
            }
        }
    }
}
#endif
