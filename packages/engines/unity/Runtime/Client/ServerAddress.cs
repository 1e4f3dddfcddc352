using System;
using System.Collections.Generic;

namespace Matchyard
{
    /// <summary>The server of a match, as far as players need it.</summary>
    public sealed class ServerAddress
    {
        internal ServerAddress(JsonObject raw)
        {
            InstanceId = raw.GetString("instance_id") ?? "";
            Region = raw.GetString("region") ?? "";
            Ports = Wire.ListOf(raw.GetArray("network_ports"), one => new ServerPort(one));
        }

        /// <summary>By this the server is known to the service.</summary>
        public string InstanceId { get; private set; }

        /// <summary>Where in the world it runs.</summary>
        public string Region { get; private set; }

        /// <summary>Where it listens.</summary>
        public IReadOnlyList<ServerPort> Ports { get; private set; }

        /// <summary>A port by its name; without one, the first. Throws where there is none.</summary>
        internal ServerPort Port(string name)
        {
            foreach (var port in Ports)
            {
                if (name == null || port.Name == name) return port;
            }
            var names = new List<string>();
            foreach (var port in Ports) names.Add(port.Name);
            throw new ArgumentException("the server has no port \"" + name + "\"; it has: " + string.Join(", ", names.ToArray()), "name");
        }
    }

    /// <summary>A port of a game server, seen from the players.</summary>
    public sealed class ServerPort
    {
        internal ServerPort(JsonObject raw)
        {
            Name = raw.GetString("name") ?? "";
            Host = raw.GetString("host") ?? "";
            Port = (int)(raw.GetLong("external_port") ?? 0);
            Protocol = raw.GetString("protocol") ?? "";
            UsesTls = raw.GetBool("tls_enabled") ?? false;
        }

        /// <summary>As the queue's settings name it.</summary>
        public string Name { get; private set; }

        /// <summary>An address or a name.</summary>
        public string Host { get; private set; }

        /// <summary>The number to connect to.</summary>
        public int Port { get; private set; }

        /// <summary><c>udp</c> or <c>tcp</c>.</summary>
        public string Protocol { get; private set; }

        /// <summary>Whether TLS is spoken there.</summary>
        public bool UsesTls { get; private set; }
    }

    /// <summary>All that it takes to connect to a match.</summary>
    public sealed class GameEndpoint
    {
        internal GameEndpoint(ServerPort port, string joinToken)
        {
            Host = port.Host;
            Port = port.Port;
            Protocol = port.Protocol;
            UsesTls = port.UsesTls;
            JoinToken = joinToken;
        }

        /// <summary>An address or a name.</summary>
        public string Host { get; private set; }

        /// <summary>The number to connect to.</summary>
        public int Port { get; private set; }

        /// <summary><c>udp</c> or <c>tcp</c>.</summary>
        public string Protocol { get; private set; }

        /// <summary>Whether TLS is spoken there.</summary>
        public bool UsesTls { get; private set; }

        /// <summary>To be shown to the game server, which lets in whom it names. Good for five minutes; <see cref="Match.RenewJoinToken"/> gets another.</summary>
        public string JoinToken { get; private set; }
    }
}
