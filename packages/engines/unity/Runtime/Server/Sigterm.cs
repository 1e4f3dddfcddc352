using System;
using System.Runtime.InteropServices;

namespace Matchyard
{
    /// <summary>
    /// Matchyard ends a server by SIGTERM, and ten seconds later by SIGKILL. Mono and IL2CPP have no safe way to run C# on a signal, and die of
    /// it; so it is ignored there by whoever listens to <see cref="GameServer.Stopping"/>, which tells the same over the event stream. .NET
    /// raises <see cref="AppDomain.ProcessExit"/> on SIGTERM, where ending can wait.
    /// </summary>
    internal static class Sigterm
    {
#if !UNITY_5_3_OR_NEWER || UNITY_STANDALONE_LINUX || UNITY_STANDALONE_OSX || UNITY_SERVER || UNITY_EDITOR
        private const int Number = 15;
        private static readonly IntPtr Ignore = new IntPtr(1);

        public static void IgnoreIfItWouldKill()
        {
            var isUnix = RuntimeInformation.IsOSPlatform(OSPlatform.Linux) || RuntimeInformation.IsOSPlatform(OSPlatform.OSX);
            if (!isUnix || IsRaisedAsProcessExit) return;
            try
            {
                Signal(Number, Ignore);
            }
            catch (Exception error) when (error is DllNotFoundException || error is EntryPointNotFoundException)
            {
                // Then the process ends at once when it is asked to.
            }
        }

        public static bool IsRaisedAsProcessExit
        {
            get
            {
                var runtime = RuntimeInformation.FrameworkDescription;
                return runtime.StartsWith(".NET", StringComparison.Ordinal) && !runtime.StartsWith(".NET Framework", StringComparison.Ordinal);
            }
        }

        [DllImport("libc", EntryPoint = "signal")]
        private static extern IntPtr Signal(int number, IntPtr handler);
#else
        public static bool IsRaisedAsProcessExit
        {
            get { return false; }
        }

        public static void IgnoreIfItWouldKill()
        {
        }
#endif
    }
}
