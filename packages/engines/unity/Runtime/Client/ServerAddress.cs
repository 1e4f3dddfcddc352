using System;
using System.Collections.Generic;

namespace Matchyard
{
    /// <summary>Server of a match, with the fields that players need.</summary>
    public sealed class ServerAddress
    {
        internal ServerAddress(JsonObject raw)
        {
            InstanceId = raw.GetString("instance_id") ?? "";
            Region = raw.GetString("region") ?? "";
            Ports = Wire.ListOf(raw.GetArray("network_ports"), one => new ServerPort(one));
        }

        /// <summary>Id of the server.</summary>
        public string InstanceId { get; private set; }

        /// <summary>Region of the server.</summary>
        public string Region { get; private set; }

        /// <summary>Ports of the server.</summary>
        public IReadOnlyList<ServerPort> Ports { get; private set; }

        /// <summary>Returns a port by its name; without a name, the first. Throws for an unknown name.</summary>
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

    /// <summary>A port of a game server that players connect to.</summary>
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

        /// <summary>Name of the port in the queue's settings.</summary>
        public string Name { get; private set; }

        /// <summary>Host name or address.</summary>
        public string Host { get; private set; }

        /// <summary>Port number to connect to.</summary>
        public int Port { get; private set; }

        /// <summary>Protocol: <c>udp</c> or <c>tcp</c>.</summary>
        public string Protocol { get; private set; }

        /// <summary>Whether the port uses TLS.</summary>
        public bool UsesTls { get; private set; }
    }

    /// <summary>All data that a player needs to connect to a match.</summary>
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

        /// <summary>Host name or address.</summary>
        public string Host { get; private set; }

        /// <summary>Port number to connect to.</summary>
        public int Port { get; private set; }

        /// <summary>Protocol: <c>udp</c> or <c>tcp</c>.</summary>
        public string Protocol { get; private set; }

        /// <summary>Whether the port uses TLS.</summary>
        public bool UsesTls { get; private set; }

        /// <summary>
        /// Token for the game server, which admits the player that it names. Valid for five minutes; <see cref="Match.RenewJoinToken"/>
        /// fetches another.
        /// </summary>
        public string JoinToken { get; private set; }
    }
}
