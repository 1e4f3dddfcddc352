using System;
using System.Diagnostics;
using System.IO;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Matchyard
{
    /// <summary>Configuration that Matchyard wrote for this launch.</summary>
    internal sealed class ServerFile
    {
        /// <summary>Path of the file on platforms that mount the build.</summary>
        private const string MountedFile = "/svc/its_svc.json";

        /// <summary>Interval at which a server that was started before its match looks for the file.</summary>
        private static readonly TimeSpan LookEvery = TimeSpan.FromMilliseconds(50);

        /// <summary>Maximum duration of writing the file.</summary>
        private static readonly TimeSpan WrittenWithin = TimeSpan.FromSeconds(5);

        private static readonly Encoding Strict = new UTF8Encoding(false, true);

        private ServerFile(JsonObject raw, bool isLocal)
        {
            Raw = raw;
            IsLocal = isLocal;
        }

        public JsonObject Raw { get; private set; }

        public bool IsLocal { get; private set; }

        private static string Named
        {
            get { return Environment.GetEnvironmentVariable("SVC_CONFIG_FILE") ?? ""; }
        }

        /// <summary>
        /// Completes when the file is complete, or does not exist, or cannot be accepted by <see cref="Read"/>.
        /// </summary>
        public static async Task WhenWritten(CancellationToken cancellation)
        {
            var path = Named == "" ? MountedFile : Named;
            Stopwatch begun = null;
            while (File.Exists(path) && !IsWhole(path))
            {
                if (begun == null && new FileInfo(path).Length > 0) begun = Stopwatch.StartNew();
                if (begun != null && begun.Elapsed > WrittenWithin) return;
                await Task.Delay(LookEvery, cancellation);
            }
        }

        private static bool IsWhole(string path)
        {
            try
            {
                JsonText.ParseObject(File.ReadAllText(path, Strict));
                return true;
            }
            catch (Exception error) when (IsNone(error))
            {
                return false;
            }
        }

        private static bool IsNone(Exception error)
        {
            return error is FormatException || error is ArgumentException || error is IOException || error is UnauthorizedAccessException;
        }

        /// <summary>Reads the file. Throws InvalidOperationException that names the missing or wrong part.</summary>
        public static ServerFile Read(JsonObject local)
        {
            var path = Named == "" ? MountedFile : Named;
            if (Named == "" && !File.Exists(MountedFile))
            {
                if (local != null) return new ServerFile(Copied.Of(local), true);
                throw new InvalidOperationException("Matchyard has not started this process: SVC_CONFIG_FILE is not set. To run the game by itself, say GameServerOptions.Local");
            }
            JsonObject raw;
            try
            {
                raw = JsonText.ParseObject(File.ReadAllText(path, Strict));
            }
            catch (Exception error) when (IsNone(error))
            {
                if (File.Exists(path) && new FileInfo(path).Length == 0) throw new InvalidOperationException(path + " is empty: this server was started before its match; say GameServer.AttachWhenMatched()");
                throw new InvalidOperationException("cannot read the configuration " + path + ": " + error.Message, error);
            }
            foreach (var field in new[] { "instance_id", "api_url", "token" })
            {
                if (raw.GetString(field) == null) throw new InvalidOperationException(path + " is no configuration of Matchyard: it has no " + field);
            }
            return new ServerFile(raw, false);
        }
    }
}
