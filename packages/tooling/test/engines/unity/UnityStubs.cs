// Stubs of the Unity classes that the package uses. With them the package's Unity branch compiles and its UnityWebRequest transport runs
// without Unity: HttpWebRequest sends the requests, and `Player.Frame` replaces the engine's loop.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Net;
using System.Threading;

namespace UnityEngine
{
    public static class Debug
    {
        public static void Log(object message)
        {
            Console.WriteLine(message);
        }

        public static void LogException(Exception error)
        {
            Console.Error.WriteLine(error);
        }
    }

    public static class Time
    {
        private static readonly Stopwatch Since = Stopwatch.StartNew();

        public static float realtimeSinceStartup
        {
            get { return (float)Since.Elapsed.TotalSeconds; }
        }
    }

    public static class Application
    {
        public static event Action quitting;

        public static void Quit(int exitCode)
        {
            if (quitting != null) quitting();
            Environment.Exit(exitCode);
        }
    }

    [Flags]
    public enum HideFlags
    {
        None = 0,
        HideAndDontSave = 61,
    }

    public class Object
    {
        public HideFlags hideFlags { get; set; }

        public static void DontDestroyOnLoad(Object target)
        {
        }
    }

    public sealed class GameObject : Object
    {
        public GameObject(string name)
        {
        }

        public T AddComponent<T>() where T : MonoBehaviour, new()
        {
            return new T();
        }
    }

    public sealed class SerializeField : Attribute
    {
    }

    public class MonoBehaviour : Object
    {
        public object StartCoroutine(IEnumerator coroutine)
        {
            Player.Coroutines.Add(coroutine);
            return coroutine;
        }
    }

    /// <summary>The part of the engine's loop that coroutines and the synchronization context need.</summary>
    public sealed class Player : SynchronizationContext
    {
        public static readonly List<IEnumerator> Coroutines = new List<IEnumerator>();
        private static readonly Queue<KeyValuePair<SendOrPostCallback, object>> Posted = new Queue<KeyValuePair<SendOrPostCallback, object>>();

        public override void Post(SendOrPostCallback callback, object state)
        {
            lock (Posted) Posted.Enqueue(new KeyValuePair<SendOrPostCallback, object>(callback, state));
        }

        public static void Frame()
        {
            for (; ; )
            {
                KeyValuePair<SendOrPostCallback, object> next;
                lock (Posted)
                {
                    if (Posted.Count == 0) break;
                    next = Posted.Dequeue();
                }
                next.Key(next.Value);
            }
            foreach (var coroutine in Coroutines.ToArray())
            {
                if (!coroutine.MoveNext()) Coroutines.Remove(coroutine);
            }
            Thread.Sleep(5);
        }
    }
}

namespace UnityEngine.Networking
{
    public class DownloadHandlerScript
    {
        public DownloadHandlerScript(byte[] preallocated)
        {
        }

        internal bool Receive(byte[] data, int length)
        {
            return ReceiveData(data, length);
        }

        protected virtual bool ReceiveData(byte[] data, int length)
        {
            return true;
        }
    }

    public class UploadHandler
    {
        public string contentType { get; set; }
    }

    public sealed class UploadHandlerRaw : UploadHandler
    {
        internal readonly byte[] Data;

        public UploadHandlerRaw(byte[] data)
        {
            Data = data;
        }
    }

    public sealed class UnityWebRequestAsyncOperation
    {
        public event Action<UnityWebRequestAsyncOperation> completed;

        internal void Complete()
        {
            if (completed != null) completed(this);
        }
    }

    public sealed class UnityWebRequest : IDisposable
    {
        private readonly HttpWebRequest request;
        private readonly DownloadHandlerScript download;
        private readonly UploadHandlerRaw upload;
        private readonly SynchronizationContext main = SynchronizationContext.Current;
        private Dictionary<string, string> headers;

        public UnityWebRequest(string url, string method, DownloadHandlerScript download, UploadHandler upload)
        {
            ServicePointManager.DefaultConnectionLimit = 64;
            request = (HttpWebRequest)WebRequest.Create(url);
            request.Method = method;
            this.download = download;
            this.upload = (UploadHandlerRaw)upload;
        }

        public int redirectLimit { get; set; }

        public int timeout { get; set; }

        public long responseCode { get; private set; }

        public string error { get; private set; }

        public void SetRequestHeader(string name, string value)
        {
            if (name == "accept") request.Accept = value;
            else request.Headers[name] = value;
        }

        public Dictionary<string, string> GetResponseHeaders()
        {
            return headers;
        }

        public UnityWebRequestAsyncOperation SendWebRequest()
        {
            var operation = new UnityWebRequestAsyncOperation();
            request.AllowAutoRedirect = redirectLimit > 0;
            var thread = new Thread(() =>
            {
                Exchange();
                main.Post(_ => operation.Complete(), null);
            });
            thread.IsBackground = true;
            thread.Start();
            return operation;
        }

        public void Abort()
        {
            request.Abort();
        }

        public void Dispose()
        {
        }

        private void Exchange()
        {
            try
            {
                if (timeout > 0) request.Timeout = timeout * 1000;
                if (upload != null)
                {
                    request.ContentType = upload.contentType;
                    using (var body = request.GetRequestStream()) body.Write(upload.Data, 0, upload.Data.Length);
                }
                using (var response = (HttpWebResponse)request.GetResponse()) Read(response);
            }
            catch (WebException failed)
            {
                error = failed.Message;
                if (failed.Response != null) Read((HttpWebResponse)failed.Response);
            }
            catch (IOException failed)
            {
                error = failed.Message;
            }
        }

        private void Read(HttpWebResponse response)
        {
            headers = new Dictionary<string, string>();
            foreach (var name in response.Headers.AllKeys) headers[name] = response.Headers[name];
            responseCode = (int)response.StatusCode;
            var buffer = new byte[1000];
            using (var body = response.GetResponseStream())
            {
                for (; ; )
                {
                    var count = body.Read(buffer, 0, buffer.Length);
                    if (count == 0) return;
                    var taken = new ManualResetEventSlim();
                    main.Post(_ =>
                    {
                        if (!download.Receive(buffer, count)) request.Abort();
                        taken.Set();
                    }, null);
                    taken.Wait();
                }
            }
        }
    }
}
