using System;
using System.IO;
using System.Text;

namespace Matchyard
{
    /// <summary>The configuration that Matchyard wrote for this launch.</summary>
    internal sealed class ServerFile
    {
        /// <summary>Where it is on platforms that mount the build.</summary>
        private const string MountedFile = "/svc/its_svc.json";

        private ServerFile(JsonObject raw, bool isLocal)
        {
            Raw = raw;
            IsLocal = isLocal;
        }

        public JsonObject Raw { get; private set; }

        public bool IsLocal { get; private set; }

        /// <summary>Reads it. Throws InvalidOperationException that says what is missing, or wrong with it.</summary>
        public static ServerFile Read(JsonObject local)
        {
            var named = Environment.GetEnvironmentVariable("SVC_CONFIG_FILE");
            var path = string.IsNullOrEmpty(named) ? MountedFile : named;
            if (string.IsNullOrEmpty(named) && !File.Exists(MountedFile))
            {
                if (local != null) return new ServerFile(Copied.Of(local), true);
                throw new InvalidOperationException("Matchyard has not started this process: SVC_CONFIG_FILE is not set. To run the game by itself, say GameServerOptions.Local");
            }
            JsonObject raw;
            try
            {
                raw = JsonText.ParseObject(File.ReadAllText(path, new UTF8Encoding(false, true)));
            }
            catch (Exception error) when (error is FormatException || error is ArgumentException || error is IOException || error is UnauthorizedAccessException)
            {
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
